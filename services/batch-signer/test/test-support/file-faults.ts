import { onTestFinished } from 'vitest'
import { localFiles } from '../../src/upstream/storage/local/file-operations.ts'
import { type FileCall, type FileFault, faultyFiles } from '../../src/workers/test-support/faulty-files.ts'

/** The files of this process fail where `decide` says so, until the test ends or the returned function is called. */
export function faults(decide: (call: FileCall) => FileFault | undefined): () => void {
  const whole = { ...localFiles }
  Object.assign(localFiles, faultyFiles(decide))
  const mend = () => void Object.assign(localFiles, whole)
  onTestFinished(mend)
  return mend
}
