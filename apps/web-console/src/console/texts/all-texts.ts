import { administratorsTexts } from './administrators-texts.ts'
import { applicationsTexts } from './applications-texts.ts'
import { commonTexts } from './common-texts.ts'
import { eventsTexts } from './events-texts.ts'
import { loginTexts } from './login-texts.ts'
import { passkeysTexts } from './passkeys-texts.ts'
import { sessionsTexts } from './sessions-texts.ts'

/** The texts of the pages that every console has. */
export const consoleTexts = {
  console: commonTexts,
  'console-login': loginTexts,
  'console-applications': applicationsTexts,
  'console-administrators': administratorsTexts,
  'console-events': eventsTexts,
  'console-passkeys': passkeysTexts,
  'console-sessions': sessionsTexts,
}
