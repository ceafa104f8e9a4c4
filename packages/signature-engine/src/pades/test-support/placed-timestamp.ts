import { IncrementalUpdate } from '../../pdf/incremental-update.ts'
import { findPage } from '../../pdf/page-tree.ts'
import { openPdf } from '../../pdf/pdf-file.ts'
import { isDict, type PdfRef } from '../../pdf/pdf-object.ts'
import { addAnnotation } from '../page-annotations.ts'
import { byteRangeNumbers, signatureDictionary, timestampNames } from '../signature-dictionary.ts'
import { digestAroundHole, fillHole } from '../signature-hole.ts'
import type { SigningRoom } from './signing-room.ts'

const ROOM = 8192

/** A document timestamp as other writers make it: in a field that is there, whose widget comes onto its page with it. */
export async function placedTimestamp(pdf: Buffer, field: PdfRef, { timestamps }: SigningRoom): Promise<Buffer> {
  const file = openPdf(pdf)
  const update = new IncrementalUpdate(file)
  const signature = update.reserve()
  const dict = file.object(field)
  if (!isDict(dict)) throw new Error('there is no such field')
  update.change(field, dict, 'V', signature)
  addAnnotation(update, findPage(file, 0), field)
  const { before, after, numbersAt, holeStart, holeEnd } = signatureDictionary('DocTimeStamp', timestampNames, ROOM)
  update.setText(signature, before, 2 * ROOM, after)
  const { appended, fileLength, bodyOffset } = update.finish()
  const body = bodyOffset(signature)
  const at = body - pdf.length
  appended.write(byteRangeNumbers(body + holeStart, body + holeEnd, fileLength), at + numbersAt, 'latin1')
  const revision = { appended, holeStart: at + holeStart, holeEnd: at + holeEnd }
  const { token } = await timestamps.stampDigest('sha256', digestAroundHole(pdf, revision, 'sha256'))
  fillHole(appended, revision, token)
  return Buffer.concat([pdf, appended])
}
