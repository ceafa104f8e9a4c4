import { serve } from '@chancela/service-kernel/http'
import {
  importCertificate,
  listCertificates,
  recheckCertificate,
  removeCertificate,
  replaceCertificate,
} from '../../contract/console-certificates.ts'
import type { CertificateDesk } from '../../parts/console/certificates.ts'
import type { ConsoleApp } from './console-app.ts'

/** Puts the certificates that are held on the console. */
export function serveCertificates(app: ConsoleApp, desk: CertificateDesk): void {
  serve(app, listCertificates, ({ query, now }) => desk.list(query, now))
  serve(app, importCertificate, ({ body, caller, now }) => desk.import(body, caller.email, now))
  serve(app, replaceCertificate, ({ params, body, caller, now }) => desk.replace(params.id, body, caller.email, now))
  serve(app, removeCertificate, ({ params, caller, now }) => desk.remove(params.id, caller.email, now))
  serve(app, recheckCertificate, ({ params, now }) => desk.recheck(params.id, now))
}
