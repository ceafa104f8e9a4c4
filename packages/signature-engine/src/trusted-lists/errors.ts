import { type ErrorVocabulary, refuser } from '../errors/engine-error.ts'

export const trustedListErrors = {
  'trusted-list.unreadable': 'The bytes are no trusted list of ETSI TS 119 612: {reason}',
  'trusted-list.too-large': 'The trusted list is larger than {limit} bytes.',
  'trusted-list.not-signed': 'The trusted list has no signature of its own, or several.',
  'trusted-list.untrusted': 'The signature of the trusted list is not one of the certificates given: {reasons}.',
  'trusted-list.outdated': 'The trusted list was to be replaced on {nextUpdate}.',
  'trusted-list.older': 'The trusted list has the number {sequence}; a newer one was seen before.',
} as const satisfies ErrorVocabulary

export const refuseTrustedList = refuser(trustedListErrors)
