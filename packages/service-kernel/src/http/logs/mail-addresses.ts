// What stands before the @ of a mail address; its length is bounded (RFC 5321 §4.5.3.1.1), so that a long text takes no
// longer than it is long.
const ADDRESS = /([\p{L}\p{N}._%+'=-])[\p{L}\p{N}._%+'=-]{0,63}@(?=[\p{L}\p{N}])/gu

/** A text in which mail addresses keep their first letter and their domain: `m***@example.com`. */
export const withoutAddresses = (text: string): string =>
  text.includes('@') ? text.replaceAll(ADDRESS, '$1***@') : text
