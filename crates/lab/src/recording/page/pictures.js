'use strict';
// Pictures of states. Each is stored as an edit of the picture of the parent; see pictures.rs.

class Pictures {
  /**
   * @param lines the section of lines
   * @param edits the section of edits, each prefixed by its length
   */
  constructor(lines, edits) {
    this.lineBytes = lines;
    this.lines = undefined;
    this.edits = [];
    const reader = new Reader(edits);
    while (!reader.done()) this.edits.push(reader.bytes(reader.number()));
  }

  /** Returns the text that results from applying these edits, from the root down. */
  text(edits) {
    this.lines ??= texts(this.lineBytes);
    let picture = [];
    for (const edit of edits) {
      const reader = new Reader(this.edits[edit]), next = [];
      let at = 0;
      while (!reader.done()) {
        const unchanged = reader.number(), removed = reader.number(), inserted = reader.number();
        for (let i = 0; i < unchanged; i++) next.push(picture[at + i]);
        at += unchanged + removed;
        for (let i = 0; i < inserted; i++) next.push(reader.number());
      }
      while (at < picture.length) next.push(picture[at++]);
      picture = next;
    }
    return picture.map((line) => this.lines[line] + '\n').join('');
  }
}

/** Returns an element that shows a picture: an image if the text is an SVG file, or the text. */
function shown(text) {
  // SVG files may begin with a declaration, a doctype and comments.
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
