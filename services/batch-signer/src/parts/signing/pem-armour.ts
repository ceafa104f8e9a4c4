import { toPem } from '@chancela/signature-engine/der'

/** Base64 characters per line, and their number of bytes. */
const LINE = 64
const LINE_BYTES = (LINE / 4) * 3

const [HEADER, FOOTER] = toPem('PKCS7', Buffer.alloc(0)).trimEnd().split(/\n+/) as [string, string]

/** A signature in PEM as a stream: large ones are never whole in memory. */
export async function* armoured(der: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  yield Buffer.from(`${HEADER}\n`)
  let rest: Buffer = Buffer.alloc(0)
  for await (const piece of der) {
    const all = Buffer.concat([rest, piece])
    const whole = all.length - (all.length % LINE_BYTES)
    if (whole > 0) yield Buffer.from(lines(all.subarray(0, whole)))
    rest = all.subarray(whole)
  }
  if (rest.length > 0) yield Buffer.from(lines(rest))
  yield Buffer.from(`${FOOTER}\n`)
}

const lines = (bytes: Buffer): string => bytes.toString('base64').replace(/.{1,64}/g, '$&\n')
