// The wire of the session server, as data that a browser can load: routes with their schemas, and the error codes.
//
//   type Session = AnswerOf<typeof createSession>
import type { Static, TSchema } from 'typebox'

/** What a route answers. */
export type AnswerOf<Route extends { readonly answer: TSchema }> = Static<Route['answer']>

/** What a route takes. */
export type BodyOf<Route extends { readonly body: TSchema }> = Static<Route['body']>
