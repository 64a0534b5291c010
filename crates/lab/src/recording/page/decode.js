'use strict';
// Decoding of the recording in the page: base64 text of compressed sections, each of which is a
// typed array or texts.

/** Returns the compressed bytes of an element. */
async function inflate(id) {
  const text = atob(document.getElementById(id).textContent.trim());
  const packed = Uint8Array.from(text, (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * Returns the sections of an element; see pack.rs.
 * @returns {Promise<any[]>}
 */
async function unpack(id) {
  const { buffer } = await inflate(id), sections = [];
  for (let at = 0; at < buffer.byteLength;) {
    const [width, length] = new Uint32Array(buffer, at, 2), start = at + 8;
    const Numbers = [, Uint8Array, Uint16Array, , Uint32Array][width];
    sections.push(Numbers
      ? new Numbers(buffer, start, length / width)
      : texts(new Uint8Array(buffer, start, length)));
    at = start + length + (-length & 3);
  }
  return sections;
}

/** Decodes texts, one per line. */
function texts(bytes) {
  if (!bytes.length) return [];
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).slice(0, -1).split('\n');
}
