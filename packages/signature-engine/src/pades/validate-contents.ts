import { encodedEnd } from '../der/encoded-end.ts'

/** The CMS at the start of a zero-padded /Contents, and whether anything but zeros follows it. */
export function unpadded(contents: Uint8Array): { cms: Uint8Array; cleanPadding: boolean } {
  const end = encodedEnd(contents)
  return { cms: contents.subarray(0, end), cleanPadding: contents.subarray(end).every((byte) => byte === 0) }
}
