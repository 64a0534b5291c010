'use strict';
// Pictures of states. Each is stored as an edit of the picture of the parent; see pictures.rs.

class Pictures {
  /**
   * @param lines the lines of all pictures
   * @param edits all edits, each after its length
   */
  constructor(lines, edits) {
    this.lines = lines;
    this.edits = [];
    for (let at = 0; at < edits.length; at += edits[at] + 1) {
      this.edits.push(edits.subarray(at + 1, at + 1 + edits[at]));
    }
  }

  /** Returns the text that results from applying these edits, from the root down. */
  text(edits) {
    let picture = [];
    for (const edit of edits.map((edit) => this.edits[edit])) {
      let next = [], at = 0;
      for (let i = 0; i < edit.length;) {
        const [unchanged, removed, inserted] = edit.subarray(i, i += 3);
        next = next.concat(picture.slice(at, at + unchanged), [...edit.subarray(i, i += inserted)]);
        at += unchanged + removed;
      }
      picture = next.concat(picture.slice(at));
    }
    return picture.map((line) => this.lines[line] + '\n').join('');
  }
}

/** Returns an element that shows a picture: an image if the text is an SVG file, or the text. */
function shown(text) {
  // SVG files may begin with a declaration, a doctype and comments.
  if (/^(\s|<\?[^]*?\?>|<!--[^]*?-->|<!DOCTYPE[^>]*>)*<svg[\s>]/.test(text)) {
    const svg = new DOMParser().parseFromString(text, 'image/svg+xml');
    const src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    return make('img', { src, alt: svg.querySelector('title')?.textContent ?? 'The state' });
  }
  return make('pre', { textContent: text });
}
