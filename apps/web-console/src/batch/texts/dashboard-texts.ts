import { batchTexts } from './batch-texts.ts'
import { conditionsTexts } from './conditions-texts.ts'
import { eventsTexts } from './events-texts.ts'
import { foldersTexts } from './folders-texts.ts'
import { jobTexts } from './job-texts.ts'
import { jobsTexts } from './jobs-texts.ts'
import { loginTexts } from './login-texts.ts'
import { overviewTexts } from './overview-texts.ts'
import { portalTexts } from './portal-texts.ts'
import { profilesTexts } from './profiles-texts.ts'
import { statisticsTexts } from './statistics-texts.ts'
import { systemTexts } from './system-texts.ts'
import { uploadTexts } from './upload-texts.ts'

/** All texts of the dashboard, by page. */
export const dashboardTexts = {
  batch: batchTexts,
  'batch-conditions': conditionsTexts,
  'batch-overview': overviewTexts,
  'batch-jobs': jobsTexts,
  'batch-job': jobTexts,
  'batch-upload': uploadTexts,
  'batch-folders': foldersTexts,
  'batch-profiles': profilesTexts,
  'batch-events': eventsTexts,
  'batch-statistics': statisticsTexts,
  'batch-system': systemTexts,
  'batch-login': loginTexts,
  'batch-portal': portalTexts,
}
