import { type Inspected, inspect, inspectionText } from '@chancela/signature-engine/inspection'
import type { CommandContext } from '../command-context.ts'
import { eachFile, type Outcome } from './each-file.ts'
import { exitCodes, leaveWith } from './exit-codes.ts'
import { inputFiles, readInput } from './files.ts'
import { type PasswordOptions, type PdfPasswordOptions, passwordOf, pdfPasswordOf } from './secrets.ts'
import { DASH } from './standard-streams.ts'

export interface InspectCommandOptions extends PasswordOptions, PdfPasswordOptions {
  readonly json?: boolean
}

/** `chancela inspect FILE…`: shows the content without validating it. */
export async function inspectCommand(
  context: CommandContext,
  paths: readonly string[],
  options: InspectCommandOptions,
): Promise<void> {
  const inputs = await inputFiles(paths)
  const { password: pdfPassword } = await pdfPasswordOf(context, options)
  const outcomes = await eachFile(context, inputs, async ({ path }) =>
    inspect(await readInput(path), {
      password: () => passwordOf(context, options, path),
      ...(pdfPassword !== undefined && { pdfPassword }),
    }),
  )
  const texts = outcomes.flatMap((outcome) =>
    'result' in outcome
      ? [`${outcome.input.path === DASH ? 'stdin' : outcome.input.path}\n${inspectionText(outcome.result, '  ')}`]
      : [],
  )
  if (options.json) context.print(JSON.stringify(outcomes.map(plain), null, 2))
  else if (texts.length > 0) context.print(texts.join('\n\n'))
  leaveWith(texts.length < outcomes.length ? exitCodes.failed : exitCodes.done)
}

const plain = (outcome: Outcome<Inspected>) =>
  'result' in outcome
    ? { file: outcome.input.path, ...outcome.result }
    : { file: outcome.input.path, error: outcome.problem }
