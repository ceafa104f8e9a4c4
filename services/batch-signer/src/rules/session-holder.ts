// Whose session a row is.

import { type SessionKind, type SessionWay, sessionKinds } from '../contract/sessions.ts'

/** For whom a session was begun, as its row names them. */
export interface SessionHolder {
  readonly kind: SessionKind
  readonly way: SessionWay
  /** What its cookie is sealed for: after a change of the key or the secret none of before opens, and none is listed. */
  readonly realm: string
  /** Tells people of one way apart. */
  readonly subject: string
}

const SEPARATOR = ' '

/** As `cookie_session.who`; the subject is last, since it may have any character. */
export const whoOf = ({ kind, way, realm, subject }: SessionHolder): string =>
  [kind, way, realm, subject].join(SEPARATOR)

/** A row that this service wrote. */
export function holderIn(who: string): SessionHolder {
  const [kind, way, realm = '', ...subject] = who.split(SEPARATOR)
  return { kind: kind as SessionKind, way: way as SessionWay, realm, subject: subject.join(SEPARATOR) }
}

/** The same person under either role: a role that was given or taken away at the provider makes nobody else of them. */
export const sameOf = (holder: SessionHolder): readonly string[] =>
  sessionKinds.map((kind) => whoOf({ ...holder, kind }))
