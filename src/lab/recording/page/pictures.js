'use strict';
// Pictures of states: each is the one above with some lines replaced.

class Pictures {
  /** @param lines the section of lines @param edits the section of edits, each with its length before it */
  constructor(lines, edits) {
    this.lineBytes = lines;
    this.edits = [];
    const reader = new Reader(edits);
    while (!reader.done()) this.edits.push(reader.bytes(reader.number()));
  }

  /** The text that these edits make, one after another. */
  text(edits) {
    this.lines ??= texts(this.lineBytes);
    let picture = [];
    for (const edit of edits) {
      const reader = new Reader(this.edits[edit]), next = [];
      let at = 0;
      while (!reader.done()) {
        const stay = reader.number(), go = reader.number(), come = reader.number();
        for (let i = 0; i < stay; i++) next.push(picture[at + i]);
        at += stay + go;
        for (let i = 0; i < come; i++) next.push(reader.number());
      }
      while (at < picture.length) next.push(picture[at++]);
      picture = next;
    }
    return picture.map((line) => this.lines[line] + '\n').join('');
  }
}

/** An element that shows a picture: an image if it is one, and else the text. */
function shown(text) {
  // Files of SVG may begin with a declaration, a doctype and comments.
  if (/^(\s|<\?[^]*?\?>|<!--[^]*?-->|<!DOCTYPE[^>]*>)*<svg[\s>]/.test(text)) {
    const image = document.createElement('img');
    image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(text);
    const title = new DOMParser().parseFromString(text, 'image/svg+xml').querySelector('title');
    image.alt = title ? title.textContent : 'The state';
    return image;
  }
  const pre = document.createElement('pre');
  pre.textContent = text;
  return pre;
}
