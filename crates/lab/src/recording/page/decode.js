'use strict';
// Decoding of the recording in the page: base64 text of compressed sections. Numbers in them are
// integers of variable length (LEB128).

/** Returns the sections of an element, as bytes. */
async function unpack(id) {
  const binary = atob(document.getElementById(id).textContent.trim());
  const packed = new Uint8Array(binary.length);
  for (let i = 0; i < packed.length; i++) packed[i] = binary.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const reader = new Reader(new Uint8Array(await new Response(stream).arrayBuffer()));
  const sections = [];
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

/** Decodes `count` integers. */
function numbers(bytes, count, array = new Uint32Array(count)) {
  const reader = new Reader(bytes);
  for (let i = 0; i < count; i++) array[i] = reader.number();
  return array;
}

/** Decodes texts, one per line. */
function texts(bytes) { return bytes.length ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).slice(0, -1).split('\n') : []; }
