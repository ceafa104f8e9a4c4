import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool } from './run-tool.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** What a signed PDF says about later changes, as a program of others reads it. */
export interface ModificationRules {
  /** /Perms of the catalog. */
  readonly permissions: unknown
  /** /Reference of every signature, the oldest first; null where there is none. */
  readonly references: readonly unknown[]
}

/** The /Reference that the official validator wants on the first signature of a PDF, and on no other. */
export const WANTED_REFERENCE = [
  {
    '/Type': '/SigRef',
    '/TransformMethod': '/DocMDP',
    '/TransformParams': { '/Type': '/TransformParams', '/P': 2, '/V': '/1.2' },
  },
]

/** Reads with qpdf what the signatures and the catalog of a PDF say about later changes. */
export async function modificationRules(pdf: Uint8Array): Promise<ModificationRules> {
  const path = join(temporaryFolder(), 'signed.pdf')
  writeFileSync(path, pdf)
  const { ok, stdout, text } = await runTool('qpdf', ['--json=2', '--json-key=qpdf', path])
  if (!ok) throw new Error(`qpdf does not read the file: ${text.slice(-500)}`)
  const [, objects] = (JSON.parse(stdout.toString('utf8')) as { qpdf: [object, PdfObjects] }).qpdf
  const catalog = objects[`obj:${objects.trailer?.value?.['/Root']}`]?.value ?? {}
  const signatures = Object.entries(objects)
    .filter(([, { value }]) => value?.['/Type'] === '/Sig' && value['/Contents'] !== undefined)
    // Every later signature has a higher number: it was added.
    .sort(([a], [b]) => numberOf(a) - numberOf(b))
  return {
    permissions: catalog['/Perms'],
    references: signatures.map(([, { value }]) => value?.['/Reference'] ?? null),
  }
}

type PdfObjects = Readonly<Record<string, { readonly value?: Readonly<Record<string, unknown>> }>>

const numberOf = (key: string): number => Number(/^obj:(\d+)/.exec(key)![1])
