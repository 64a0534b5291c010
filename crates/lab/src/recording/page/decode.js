'use strict';
// Decoding of the recording in the page: base64 text of compressed sections. Numbers in them are
// integers of variable length (LEB128).

/** Returns the compressed bytes of an element. */
async function inflate(id) {
  const packed = Uint8Array.from(atob(document.getElementById(id).textContent.trim()), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Returns the sections of an element, as bytes. */
async function unpack(id) {
  const reader = new Reader(await inflate(id)), sections = [];
  while (!reader.done()) sections.push(reader.bytes(reader.number()));
  return sections;
}

/** Reads integers from bytes. */
class Reader {
  constructor(bytes) { this.data = bytes; this.at = 0; }
  done() { return this.at >= this.data.length; }
  number() {
    let number = 0, scale = 1, byte;
    do {
      byte = this.data[this.at++];
      number += (byte & 127) * scale;
      scale *= 128;
    } while (byte > 127);
    return number;
  }
  bytes(length) { return this.data.subarray(this.at, this.at += length); }
}

/**
 * Decodes `count` integers.
 * @template {ArrayLike<number>} [T=Uint32Array]
 * @returns {T}
 */
function numbers(bytes, count, array = /** @type {any} */ (new Uint32Array(count))) {
  const reader = new Reader(bytes);
  for (let i = 0; i < count; i++) array[i] = reader.number();
  return array;
}

/** Decodes texts, one per line. */
function texts(bytes) { return bytes.length ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).slice(0, -1).split('\n') : []; }
