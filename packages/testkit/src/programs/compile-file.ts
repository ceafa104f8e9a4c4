import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, cache } from './compiler.ts'

/** A program in a folder of its own. */
export interface CompiledFile {
  readonly program: string
  /** Removes the folder. */
  remove(): void
}

const beside = (module: string, file: string): string => fileURLToPath(new URL(file, import.meta.resolve(module)))

/** What our packages start as a thread or a process, and expect next to the program. */
const companions = (): Readonly<Record<string, string>> => ({
  'pkcs12-worker': beside('@chancela/signature-engine/keys', './pkcs12/pkcs12-worker.ts'),
  'digest-worker': beside('@chancela/signature-engine/keys', './known-digest/digest-worker.ts'),
  'hashing/hash-thread': beside('@chancela/service-kernel/secrets', './hashing/hash-thread.ts'),
  'backup-process': beside('@chancela/service-kernel/store', './sqlite/backup-process.ts'),
})

/**
 * Compiles a program, such as a whole service, that is started repeatedly: compiling it in every process would take ten
 * times as long as most of them run. `threads` are programs that the service itself starts and expects beside it.
 */
export async function compileFile(source: URL, threads: readonly URL[] = []): Promise<CompiledFile> {
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'program-'))
  const nameOf = ({ pathname }: URL): string => basename(pathname, '.ts')
  const own = Object.fromEntries([source, ...threads].map((url) => [nameOf(url), fileURLToPath(url)]))
  await build({ entryPoints: { ...own, ...companions() }, outdir: folder })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  return {
    program: join(folder, `${nameOf(source)}.js`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
