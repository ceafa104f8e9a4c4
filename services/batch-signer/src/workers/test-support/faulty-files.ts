import { type FileOperations, localFiles } from '../../upstream/storage/local/file-operations.ts'

/** One call of the file system, before it is made. */
export interface FileCall {
  readonly operation: keyof FileOperations
  /** Its path; for an open file, the path it was opened under. */
  readonly path: string
  /** Target of a rename or a link. */
  readonly to: string
  /** Counts all calls from 1. */
  readonly number: number
}

type Errno =
  | 'EEXIST'
  | 'EIO'
  | 'ENOSPC'
  | 'EACCES'
  | 'EPERM'
  | 'EXDEV'
  | 'EINVAL'
  | 'ENOTDIR'
  | 'ESTALE'
  | 'EMFILE'
  | 'ENFILE'

/** What happens instead of the call, before it, or after it. Undefined lets it pass. */
export interface FileFault {
  /** The call fails with this code of the kernel. */
  readonly errno?: Errno
  /** The call takes this many milliseconds longer. */
  readonly delayMs?: number
  /** Called before the call. */
  before?(): void
  /** Called after the call has succeeded. */
  after?(): void
}

/** The files of this machine, with faults where `decide` says so. */
export function faultyFiles(decide: (call: FileCall) => FileFault | undefined): FileOperations {
  const paths = new Map<number, string>()
  let number = 0
  const callOf = (operation: keyof FileOperations, args: readonly unknown[]): FileCall => {
    const [first, second] = args
    const path = typeof first === 'number' ? (paths.get(first) ?? '') : String(first)
    number += 1
    return { operation, path, to: typeof second === 'string' ? second : '', number }
  }
  const wrapped = Object.entries(localFiles).map(([name, run]) => {
    const operation = name as keyof FileOperations
    const faulty = (...args: unknown[]) => {
      const call = callOf(operation, args)
      const fault = decide(call) ?? {}
      const passed = () => {
        const result = (run as (...given: unknown[]) => unknown)(...args)
        if (operation === 'openSync') paths.set(result as number, call.path)
        if (operation !== 'open') return result
        return (result as Promise<number>).then((fd) => {
          paths.set(fd, call.path)
          return fd
        })
      }
      return operation.endsWith('Sync') ? faultNow(call, fault, passed) : faultLater(call, fault, passed)
    }
    return [name, faulty]
  })
  return Object.fromEntries(wrapped) as unknown as FileOperations
}

function faultNow(call: FileCall, fault: FileFault, run: () => unknown): unknown {
  if (fault.delayMs) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, fault.delayMs)
  fault.before?.()
  if (fault.errno) throw errorOf(fault.errno, call)
  const result = run()
  fault.after?.()
  return result
}

async function faultLater(call: FileCall, fault: FileFault, run: () => unknown): Promise<unknown> {
  if (fault.delayMs) await new Promise((resolve) => setTimeout(resolve, fault.delayMs))
  fault.before?.()
  if (fault.errno) throw errorOf(fault.errno, call)
  const result = await run()
  fault.after?.()
  return result
}

const errorOf = (code: string, { operation, path }: FileCall): Error =>
  Object.assign(new Error(`${code}: injected, ${operation} '${path}'`), { code })
