import { actorOf } from '@chancela/admin-console'
import { serve } from '@chancela/service-kernel/http'
import {
  importCertificate,
  listCertificates,
  recheckCertificate,
  removeCertificate,
  replaceCertificate,
  setCertificatePin,
} from '../../contract/console-certificates.ts'
import type { CertificateAdmin } from '../../parts/console/certificates.ts'
import type { ConsoleApp } from './console-app.ts'

/** Registers the console routes of held certificates. */
export function serveCertificates(app: ConsoleApp, admin: CertificateAdmin): void {
  serve(app, listCertificates, ({ query, now }) => admin.list(query, now))
  serve(app, importCertificate, ({ body, caller, now }) => admin.import(body, actorOf(caller), now))
  serve(app, replaceCertificate, ({ params, body, caller, now }) =>
    admin.replace(params.id, body, actorOf(caller), now),
  )
  serve(app, setCertificatePin, ({ params, body, caller, now }) =>
    admin.setPin(params.id, body.pin, actorOf(caller), now),
  )
  serve(app, removeCertificate, ({ params, caller, now }) => admin.remove(params.id, actorOf(caller), now))
  serve(app, recheckCertificate, ({ params, now }) => admin.recheck(params.id, now))
}
