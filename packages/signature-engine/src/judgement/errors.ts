import { type ErrorVocabulary, refuser } from '../errors/engine-error.ts'

export const judgementErrors = {
  'judgement.untrusted': 'The certificate of {subject} does not lead to a trusted root.',
  'judgement.not-valid': 'The certificate of {subject} is not valid: {reasons}.',
} as const satisfies ErrorVocabulary

export const refuseJudgement = refuser(judgementErrors)
