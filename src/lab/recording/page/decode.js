'use strict';
// Reading what the page carries: one element of base64, of compressed sections, of numbers in as few bytes as they need.

/** The sections of an element, as bytes. */
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

/** Takes numbers off a sequence of bytes. */
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

/** So many numbers. */
function numbers(bytes, count, array = new Uint32Array(count)) {
  const reader = new Reader(bytes);
  for (let i = 0; i < count; i++) array[i] = reader.number();
  return array;
}

/** Texts, one a line. */
function texts(bytes) { return bytes.length ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).slice(0, -1).split('\n') : []; }
