import { type AskedSignature, type ProblemText, signatureProblemTexts } from '@chancela/service-kernel/trust'
import { JobFailure } from '../../rules/job-failure.ts'
import { reasonOf } from '../../rules/job-reason.ts'
import { saidBoth } from '../../rules/sentences.ts'
import { piecesOf } from './pieces-of-file.ts'

/** A finished file, before armour and encryption. */
type FinishedFile = Uint8Array | { readonly path: string }

/** Validates a file that was just signed as a third party would. Throws JobFailure job.verification-failed. */
export async function checkSignature(file: FinishedFile, asked: AskedSignature): Promise<void> {
  const problems = await signatureProblemTexts(file instanceof Uint8Array ? file : piecesOf(file.path), asked)
  if (problems.length > 0) {
    const why = reasonOf('signature-refused', { problems: inOne(problems), count: problems.length })
    throw new JobFailure('job.verification-failed', why, { lines: problems.map(saidBoth) })
  }
}

/** Several problems as one sentence. */
export const inOne = (problems: readonly ProblemText[]): ProblemText => ({
  'en-US': problems.map((problem) => problem['en-US']).join(' '),
  'pt-BR': problems.map((problem) => problem['pt-BR']).join(' '),
})
