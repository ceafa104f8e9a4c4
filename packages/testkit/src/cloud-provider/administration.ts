// What tests do by calling functions, over HTTP: for users of the demo's provider outside its process.
import { type Fault, isFault } from './faults.ts'
import { type Answer, json, type Question, type Route, text } from './http.ts'
import { type Operation, operations } from './operations.ts'
import type { Context } from './provider-context.ts'
import { plainQuirks, setQuirks } from './quirks.ts'

/** Quirks and faults, read and changed. They accept only JSON, which no other site's page can send. */
export const administrationRoutes = (context: Context): readonly Route[] => [
  { method: 'GET', path: /^\/admin\/quirks$/, answer: () => json(200, context.quirks) },
  { method: 'POST', path: /^\/admin\/quirks$/, answer: (question) => changeQuirks(context, question) },
  { method: 'POST', path: /^\/admin\/faults$/, answer: (question) => orderFault(context, question) },
  { method: 'POST', path: /^\/admin\/recover$/, answer: (question) => recover(context, question) },
]

function changeQuirks(context: Context, { body, mediaType }: Question): Answer {
  if (mediaType !== JSON_TYPE) return onlyJson
  const unknown = Object.keys(body).filter((name) => !Object.hasOwn(context.quirks, name))
  if (unknown.length > 0) return text(400, `There are no such quirks: ${unknown.join(', ')}.`)
  setQuirks(context.quirks, body)
  return json(200, context.quirks)
}

/** `{"operation": "signature", "fault": "drop"}` applies to the next call. */
function orderFault(context: Context, { body, mediaType }: Question): Answer {
  if (mediaType !== JSON_TYPE) return onlyJson
  const operation = operations.find((one) => one === body.operation)
  if (!operation) return text(400, `Operations are ${operations.join(', ')}.`)
  if (!isFault(body.fault)) return text(400, 'There is no such fault.')
  return ordered(context, operation, body.fault)
}

function ordered({ faults }: Context, operation: Operation, fault: Fault): Answer {
  faults.next(operation, fault)
  return json(200, { operation, fault })
}

function recover(context: Context, { mediaType }: Question): Answer {
  if (mediaType !== JSON_TYPE) return onlyJson
  context.faults.clear()
  setQuirks(context.quirks, plainQuirks())
  return json(200, context.quirks)
}

const JSON_TYPE = 'application/json'
const onlyJson = text(415, 'Send application/json.')
