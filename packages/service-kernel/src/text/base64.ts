const PADDING = /={0,2}$/

/**
 * Bytes of base64 with padding; undefined for any other text. What is no base64 is skipped by
 * the decoder, so that the length tells: a pattern over megabytes would take longer than the decoding.
 */
export function decodeBase64(text: string): Buffer | undefined {
  const padding = PADDING.exec(text.slice(-2))![0].length
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === (text.length / 4) * 3 - padding ? bytes : undefined
}
