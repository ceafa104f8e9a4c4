import { activityTexts } from './activity-texts.ts'
import { administratorsTexts } from './administrators-texts.ts'
import { applicationsTexts } from './applications-texts.ts'
import { certificatesTexts } from './certificates-texts.ts'
import { commonTexts } from './common-texts.ts'
import { eventsTexts } from './events-texts.ts'
import { loginTexts } from './login-texts.ts'
import { overviewTexts } from './overview-texts.ts'
import { workstationsTexts } from './workstations-texts.ts'

/** All texts of the bundle, by page. */
export const allTexts = {
  sessions: commonTexts,
  'sessions-login': loginTexts,
  'sessions-overview': overviewTexts,
  'sessions-applications': applicationsTexts,
  'sessions-certificates': certificatesTexts,
  'sessions-workstations': workstationsTexts,
  'sessions-activity': activityTexts,
  'sessions-administrators': administratorsTexts,
  'sessions-events': eventsTexts,
}
