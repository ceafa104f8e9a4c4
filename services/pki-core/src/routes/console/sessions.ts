import { serve } from '@chancela/service-kernel/http'
import { cancelSession, listedSessions, shownToAdministrator } from '../../actions/console/console-sessions.ts'
import { deleteForAdministrator, listedSubjects } from '../../actions/console/console-subjects.ts'
import { byAdministrator, type Management } from '../../actions/management/acting.ts'
import { cancelSignatureSession, listSignatureSessions, showSignatureSession } from '../../contract/console-sessions.ts'
import { consoleDeleteSubject, listBioSubjects } from '../../contract/console-subjects.ts'
import type { ConsoleApp } from './console-app.ts'

/** Signature sessions of every subscription. */
export function serveSessions(app: ConsoleApp, management: Management): void {
  serve(app, listSignatureSessions, ({ query, now }) => listedSessions(management, query, now))
  serve(app, showSignatureSession, ({ params, now }) => shownToAdministrator(management, params.id, now))
  serve(app, cancelSignatureSession, ({ caller, params, now }) =>
    cancelSession(management, byAdministrator(caller), params.id, now),
  )
}

/** Persons whose faces are kept. */
export function serveSubjects(app: ConsoleApp, management: Management): void {
  serve(app, listBioSubjects, ({ query }) => listedSubjects(management, query))
  serve(app, consoleDeleteSubject, ({ caller, params, now }) =>
    deleteForAdministrator(management, byAdministrator(caller), params.id, now),
  )
}
