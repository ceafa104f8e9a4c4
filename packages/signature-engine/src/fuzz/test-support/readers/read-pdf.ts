import { extendPades } from '../../../pades/extend-pades.ts'
import { preparePades } from '../../../pades/prepare-pades.ts'
import { validatePades } from '../../../pades/validate-pades.ts'
import { formFields } from '../../../pdf/form-fields.ts'
import { allPages } from '../../../pdf/page-tree.ts'
import { openPdf } from '../../../pdf/pdf-file.ts'
import { repairPdf } from '../../../pdf/repair/repair-pdf.ts'
import { ask, askLater, type Reader, reported } from './reader.ts'

/** A PDF: opened, walked through in every revision, repaired, prepared for a signature, and validated. */
export const readAnyPdf: Reader = async (bytes, _, { judge, timestamps, holder, recording: { now } }) => {
  ask(() => {
    const file = openPdf(bytes)
    ask(() => file.version())
    ask(() => file.catalog())
    ask(() => [...allPages(file)])
    ask(() => [...formFields(file)])
    ask(() => file.revisions.map((revision) => revision.ownNumbers().size))
  })
  ask(() => repairPdf(bytes))
  ask(() => preparePades(bytes, holder, { now }))
  await askLater(() => extendPades(bytes, { timestamps, judge, now, level: 'B-LTA' }))
  return reported(await validatePades(bytes, { judge, now }))
}
