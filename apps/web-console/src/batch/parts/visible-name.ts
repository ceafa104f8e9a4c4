/** Letters of a name that a browser would not show, such as a new line, as their visible signs: ␊. */
export const visibleName = (name: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  name.replaceAll(/[\u0000-\u001f\u007f]/g, (letter) =>
    letter === '\u007f' ? '␡' : String.fromCharCode(0x2400 + letter.charCodeAt(0)),
  )
