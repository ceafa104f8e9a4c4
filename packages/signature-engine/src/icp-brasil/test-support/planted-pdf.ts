import { digest } from '../../crypto/digest.ts'
import type { DigestSigner } from '../../keys/digest-signer.ts'
import { signPades } from '../../pades/sign-pades.ts'
import { signedParts } from '../../pades/test-support/signed-parts.ts'
import { tablePdf } from '../../pdf/test-support/sample-pdfs.ts'
import type { TimestampClient } from '../../timestamps/timestamp-client.ts'
import { type CmsDefect, craftedCms } from './crafted-cms.ts'

/**
 * A good signature whose dictionary text is edited in place, and which is then signed anew by the same key: as AD-RB, in
 * the room of a timestamp.
 */
export async function plantedPdf(
  { signer, timestamps }: { readonly signer: DigestSigner; readonly timestamps: TimestampClient },
  edit: (pdf: string) => string = (pdf) => pdf,
  defect: CmsDefect = {},
  document: Uint8Array = tablePdf(),
): Promise<Buffer> {
  const location = 'Sao Paulo'.padEnd(200)
  const good = await signPades(document, signer, { now: new Date(), level: 'AD-RT', timestamps, location })
  const edited = Buffer.from(edit(good.toString('latin1')), 'latin1')
  if (edited.length !== good.length) throw new Error('An edit keeps the length: offsets stand in the file.')
  return resigned(edited, signer, defect)
}

/** Replaces text by text that is shorter. */
export const inPlace = (pdf: string, from: string | RegExp, to: string): string =>
  pdf.replace(from, (found) => to.padEnd(found.length))

/** The bytes under the last signature signed again, into the same hole. */
async function resigned(pdf: Buffer, signer: DigestSigner, defect: CmsDefect): Promise<Buffer> {
  const { covered } = signedParts(pdf).at(-1)!
  const cms = await craftedCms(digest('sha256', covered), signer, 'PAdES', defect)
  const start = pdf.lastIndexOf('/Contents <') + '/Contents <'.length
  const room = pdf.indexOf('>', start) - start
  const digits = cms.toString('hex').padEnd(room, '0')
  if (digits.length > room) throw new Error('The hole is too small for the crafted signature.')
  return Buffer.concat([pdf.subarray(0, start), Buffer.from(digits, 'latin1'), pdf.subarray(start + room)])
}
