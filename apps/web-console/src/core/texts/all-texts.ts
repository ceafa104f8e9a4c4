import { consoleTexts } from '../../console/texts/all-texts.ts'
import { activityTexts } from './activity-texts.ts'
import { applicationsTexts } from './applications-texts.ts'
import { commonTexts } from './common-texts.ts'
import { contextsTexts } from './contexts-texts.ts'
import { overviewTexts } from './overview-texts.ts'
import { sessionsTexts } from './sessions-texts.ts'
import { subjectsTexts } from './subjects-texts.ts'
import { subscriptionsTexts } from './subscriptions-texts.ts'

/** All texts of the bundle, by page. */
export const allTexts = {
  ...consoleTexts,
  core: commonTexts,
  'core-overview': overviewTexts,
  'core-subscriptions': subscriptionsTexts,
  'core-applications': applicationsTexts,
  'core-contexts': contextsTexts,
  'core-sessions': sessionsTexts,
  'core-subjects': subjectsTexts,
  'core-activity': activityTexts,
}
