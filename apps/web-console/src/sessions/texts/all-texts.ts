import { consoleTexts } from '../../console/texts/all-texts.ts'
import { activityTexts } from './activity-texts.ts'
import { certificatesTexts } from './certificates-texts.ts'
import { commonTexts } from './common-texts.ts'
import { historyTexts } from './history-texts.ts'
import { overviewTexts } from './overview-texts.ts'
import { workstationsTexts } from './workstations-texts.ts'

/** All texts of the bundle, by page. */
export const allTexts = {
  ...consoleTexts,
  sessions: commonTexts,
  'sessions-overview': overviewTexts,
  'sessions-certificates': certificatesTexts,
  'sessions-workstations': workstationsTexts,
  'sessions-activity': activityTexts,
  'sessions-history': historyTexts,
}
