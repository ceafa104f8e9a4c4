import { batchesTexts } from './batches-texts.ts'
import { commonTexts } from './common-texts.ts'
import { editorTexts } from './editor-texts.ts'
import { eventsTexts } from './events-texts.ts'
import { fieldTexts } from './field-texts.ts'
import { institutesTexts } from './institutes-texts.ts'
import { itemsTexts } from './items-texts.ts'
import { loginTexts } from './login-texts.ts'
import { organizationTexts } from './organization-texts.ts'
import { partnershipsTexts } from './partnerships-texts.ts'
import { restampsTexts } from './restamps-texts.ts'
import { setupTexts } from './setup-texts.ts'
import { signaturesTexts } from './signatures-texts.ts'

/** All texts of the bundle, by page. */
export const allTexts = {
  credentials: commonTexts,
  'credentials-login': loginTexts,
  'credentials-fields': fieldTexts,
  'credentials-institutes': institutesTexts,
  'credentials-items': itemsTexts,
  'credentials-batches': batchesTexts,
  'credentials-partnerships': partnershipsTexts,
  'credentials-restamps': restampsTexts,
  'credentials-setup': setupTexts,
  'credentials-signatures': signaturesTexts,
  'credentials-organization': organizationTexts,
  'credentials-editor': editorTexts,
  'credentials-events': eventsTexts,
}
