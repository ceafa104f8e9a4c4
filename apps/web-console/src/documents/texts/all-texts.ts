import { accountTexts } from './account-texts.ts'
import { commonTexts } from './common-texts.ts'
import { documentTexts } from './document-texts.ts'
import { invitationTexts } from './invitation-texts.ts'
import { listTexts } from './list-texts.ts'
import { loginTexts } from './login-texts.ts'
import { marksTexts } from './marks-texts.ts'
import { newTexts } from './new-texts.ts'
import { organizationTexts } from './organization-texts.ts'
import { participantTexts } from './participant-texts.ts'
import { passwordTexts } from './password-texts.ts'
import { validateTexts } from './validate-texts.ts'
import { webhooksTexts } from './webhooks-texts.ts'

/** All texts of the bundle, by page. */
export const allTexts = {
  documents: commonTexts,
  'documents-login': loginTexts,
  'documents-invitation': invitationTexts,
  'documents-password': passwordTexts,
  'documents-account': accountTexts,
  'documents-list': listTexts,
  'documents-new': newTexts,
  'documents-document': documentTexts,
  'documents-participant': participantTexts,
  'documents-validate': validateTexts,
  'documents-marks': marksTexts,
  'documents-webhooks': webhooksTexts,
  'documents-organization': organizationTexts,
}
