import { prefersTextJson, TEXT_JSON } from '../rules/json-type.ts'
import type { CoreApp } from './core-app.ts'

/** Answers of JSON, errors included, as text/json where the caller asks for it (spec 1 C, Endpoints). */
export function answerTextJson(app: CoreApp): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isJson = String(reply.getHeader('content-type') ?? '').startsWith('application/json')
    if (isJson && prefersTextJson(request.headers.accept)) reply.header('content-type', TEXT_JSON)
    done(null, payload)
  })
}
