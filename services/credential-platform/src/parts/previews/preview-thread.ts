// The thread in which drafts of templates are drawn: what they cost, nobody else waits for.
import { parentPort } from 'node:worker_threads'
import {
  type PreviewedInput,
  previewTemplate,
  RepresentationProblem,
} from '@chancela/academic-documents/representations'

export interface PreviewTask {
  readonly template: unknown
  /** Of a document; default data that nobody has. */
  readonly shown: PreviewedInput | undefined
}

/** The PDF, or why there is none. */
export type PreviewAnswer = { readonly pdf: Uint8Array } | { readonly problem: string } | { readonly bug: string }

parentPort?.on('message', (task: PreviewTask) => parentPort?.postMessage(answered(task)))

function answered({ template, shown }: PreviewTask): PreviewAnswer {
  try {
    return { pdf: previewTemplate(template, shown) }
  } catch (error) {
    if (error instanceof RepresentationProblem) return { problem: error.message }
    return { bug: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
