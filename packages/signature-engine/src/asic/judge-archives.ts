import { earliest } from '../report/proven-time.ts'
import type { SignatureReport } from '../report/report.ts'
import { tried } from '../report/tried.ts'
import { readTimestampToken } from '../timestamps/timestamp-token.ts'
import type { ZipEntry } from '../zip/zip-format.ts'
import { type AsicContainer, fileNamed } from './container.ts'
import { type JudgedFile, type JudgedSignature, judgeToken, type ValidateAsicOptions } from './judge-files.ts'
import { manifestOf, readableManifest } from './manifests-of-container.ts'

/** An archive timestamp of the container, and what it proves. */
interface JudgedArchive {
  readonly file: ZipEntry
  readonly judged: JudgedFile
  /** The names of the files it is over. */
  readonly covered: ReadonlySet<string>
}

/** The archive timestamps of a container, judged. */
export class Archives {
  readonly #container: AsicContainer
  readonly #archives: JudgedArchive[] = []

  constructor(container: AsicContainer) {
    this.#container = container
  }

  /** From the newest to the oldest: a valid one proves that those it covers existed when their certificates were good. */
  async judge(options: ValidateAsicOptions): Promise<this> {
    for (const file of archiveTokens(this.#container)) {
      const judged = await judgeToken(this.#container, file, { ...options, provenAt: this.proofOf(file) })
      const covered = new Set(judged.signatures.flatMap(({ files }) => files))
      this.#archives.push({ file, judged, covered })
    }
    return this
  }

  has(file: ZipEntry): boolean {
    return this.#archives.some((archive) => archive.file === file)
  }

  /** What became of this file, if it is an archive timestamp. */
  judged(file: ZipEntry): JudgedFile | undefined {
    return this.#archives.find((archive) => archive.file === file)?.judged
  }

  /** The earliest time at which this signature or timestamp, with all that it is over, is proven to have existed. */
  proofOf(file: ZipEntry): Date | undefined {
    return earliest(
      this.#over(file).flatMap(({ report }) =>
        report.indication === 'valid' && report.claimedTime ? [report.claimedTime] : [],
      ),
    )
  }

  /** EN 319 162-1 §5.4: with an archive timestamp of the container over it, a signature of B-LT is of B-LTA. */
  withLevel(file: ZipEntry, judged: JudgedFile): JudgedFile {
    // An untrusted timestamp still counts: the level is about form, and trust is reported separately.
    const isArchived = this.#over(file).some(({ report }) => report.indication !== 'invalid' && isIntact(report))
    const raised = ({ report, files }: JudgedSignature): JudgedSignature =>
      report.level === 'B-LT' ? { files, report: { ...report, level: 'B-LTA' } } : { files, report }
    return isArchived ? { ...judged, signatures: judged.signatures.map(raised) } : judged
  }

  #over(file: ZipEntry): JudgedSignature[] {
    const needed = [file.name, ...namesUnder(this.#container, file)]
    return this.#archives
      .filter(({ covered }) => needed.every((name) => covered.has(name)))
      .flatMap(({ judged }) => judged.signatures)
  }
}

const isIntact = ({ integrity }: SignatureReport): boolean => integrity.content.state === 'passed'

/** The manifest that a signature or timestamp is over, and the files that it lists. */
function namesUnder(container: AsicContainer, file: ZipEntry): string[] {
  const manifest = manifestOf(container, file)
  if (!manifest) return container.dataFiles.map(({ name }) => name)
  const references = readableManifest(manifest)?.references ?? []
  return [manifest.name, ...references.map(({ uri }) => fileNamed(container, uri)?.name ?? uri)]
}

function archiveTokens(container: AsicContainer): ZipEntry[] {
  const { timestamp, archiveManifest } = container.meta
  const isArchive = (file: ZipEntry) => archiveManifest.includes(manifestOf(container, file)!)
  const isOver = (a: ZipEntry, b: ZipEntry) => namesUnder(container, a).includes(b.name)
  // Times are whole seconds: of two in the same second, the one that covers the other comes first.
  const order = (a: ZipEntry, b: ZipEntry) => timeOf(b) - timeOf(a) || Number(isOver(b, a)) - Number(isOver(a, b))
  return timestamp.filter(isArchive).toSorted(order)
}

/** One that cannot be read comes last: whoever judges it is told. */
const timeOf = ({ content }: ZipEntry): number => tried([], () => readTimestampToken(content).time.getTime()) ?? 0
