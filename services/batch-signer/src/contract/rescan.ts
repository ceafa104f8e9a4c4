import Type from 'typebox'

const counts = {
  scanned: Type.Integer(),
  enqueued: Type.Integer(),
  alreadyActive: Type.Integer(),
  ignored: Type.Integer({ description: 'Ignored names, files that still change, files of a disabled profile.' }),
  errors: Type.Integer(),
  alreadyProcessed: Type.Integer({ description: 'Refused because their name was signed before; moved to error/.' }),
}

/** POST /api/rescan (spec 2, Endpoints). */
export const rescanFolders = {
  method: 'POST',
  path: '/api/rescan',
  summary: 'Looks through the input folders now.',
  description: 'Offers every file that lies there, those whose last job failed or was canceled included.',
  tags: ['Folders'],
  policy: 'Actions',
  query: Type.Object(
    {
      folder: Type.Optional(Type.String({ description: 'Name of one input folder; all when absent.' })),
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: Type.Object(
    {
      folders: Type.Array(
        Type.Object(
          {
            name: Type.String(),
            path: Type.String(),
            ...counts,
            enqueuedFiles: Type.Array(Type.String()),
            unassigned: Type.Boolean({ description: 'No profile chose the folder: nothing was looked at.' }),
          },
          { $id: 'RescannedFolder' },
        ),
      ),
      totals: Type.Object({ folders: Type.Integer(), ...counts, unassigned: Type.Integer() }, { $id: 'RescanTotals' }),
    },
    { $id: 'RescanResult' },
  ),
  refusals: ['folder.not-found'],
} as const
