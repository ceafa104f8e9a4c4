import { type AskedSignature, signatureProblems } from '@chancela/service-kernel/trust'
import { JobFailure } from '../../rules/job-failure.ts'
import { piecesOf } from './pieces-of-file.ts'

/** A finished file, before armour and encryption. */
type FinishedFile = Uint8Array | { readonly path: string }

/** Validates a file that was just signed as a third party would. Throws JobFailure job.verification-failed. */
export async function checkSignature(file: FinishedFile, asked: AskedSignature): Promise<void> {
  const problems = await signatureProblems(file instanceof Uint8Array ? file : piecesOf(file.path), asked)
  if (problems.length > 0) throw new JobFailure('job.verification-failed', problems.join(' '), { lines: problems })
}
