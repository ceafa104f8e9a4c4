import type { StuckFiles } from '../../parts/stuck-files.ts'
import type { JobRow } from '../../store/tables.ts'
import type { OutputPlace, WorkArea } from '../../upstream/storage/storage.ts'

export interface DeliveryParts {
  readonly work: Pick<WorkArea, 'promote' | 'outputPath'>
  readonly stuck: StuckFiles
}

/** Gives the output of a completed job its name; false when a stranger's file has it, which is told. */
export async function giveOutput(
  { work, stuck }: DeliveryParts,
  job: Pick<JobRow, 'id' | 'file_name' | 'input_folder'>,
  place: OutputPlace,
): Promise<boolean> {
  const outcome = await work.promote(job.id, place)
  if (outcome === 'taken') {
    await stuck.outputTaken(job, work.outputPath(place.name, place.folder))
    return false
  }
  stuck.outputGiven(job.id)
  return true
}
