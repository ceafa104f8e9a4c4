/** Control and format characters must not break lines, turn the direction of the text or spoil the metadata. */
export const cleanText = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim()
