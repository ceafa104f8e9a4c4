import { consoleTexts } from '../../console/texts/all-texts.ts'
import { activityTexts } from './activity-texts.ts'
import { commonTexts } from './common-texts.ts'
import { overviewTexts } from './overview-texts.ts'
import { providersTexts } from './providers-texts.ts'
import { redirectUrisTexts } from './redirect-uris-texts.ts'

/** All texts of the bundle, by page. */
export const allTexts = {
  ...consoleTexts,
  hub: commonTexts,
  'hub-overview': overviewTexts,
  'hub-providers': providersTexts,
  'hub-redirect-uris': redirectUrisTexts,
  'hub-activity': activityTexts,
}
