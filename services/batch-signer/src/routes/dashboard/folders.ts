import { serve } from '@chancela/service-kernel/http'
import { FolderEditor, type FolderForm, type FolderParts } from '../../actions/edit-folders.ts'
import { folderFields } from '../../actions/folder-form.ts'
import type { Context } from '../../context.ts'
import {
  addFolder,
  editFolder,
  listFolderDetails,
  pauseFolder,
  removeFolder,
  resumeFolder,
} from '../../contract/dashboard-folders.ts'
import type { ProfileDirectory } from '../../parts/signing/signing.ts'
import { refuse } from '../../rules/refuse.ts'
import { optionsOf } from '../../rules/watched-folder.ts'
import type { Intake } from '../../workers/intake/intake.ts'
import { displayLanguage } from '../full/culture.ts'
import type { FullApp } from '../full/full-app.ts'
import { actorOf, type Operator } from '../operator-access.ts'

type Asked = Parameters<typeof displayLanguage>[0]

export interface DashboardFolderParts extends Omit<FolderParts, 'intake' | 'profiles'> {
  readonly intake: Pick<Intake, 'folders' | 'settled'>
  readonly profiles: FolderParts['profiles'] & Pick<ProfileDirectory, 'list'>
}

/** Registers the dashboard's routes of folders: list, add, change, remove, pause, resume. */
export function serveDashboardFolders(app: FullApp, context: Context, parts: DashboardFolderParts): void {
  const { folders, intake, profiles } = parts
  const editor = new FolderEditor(context, parts)

  const editing = (call: Asked & { readonly caller: Operator }) => ({
    actor: actorOf(call.caller),
    locale: displayLanguage(call),
  })
  const details = async (call: Asked) =>
    (await intake.folders(displayLanguage(call))).flatMap((view) => {
      const known = folders.get(view.name)
      return known ? [{ ...view, options: optionsOf(known.entry), version: known.version }] : []
    })
  const detail = async (call: Asked, name: string) => {
    const one = (await details(call)).find((folder) => folder.name === name)
    if (!one) throw refuse('folder.not-found', { folder: name })
    return one
  }

  serve(app, listFolderDetails, async (call) => ({
    folders: await details(call),
    fields: folderFields,
    profiles: profiles.list().map(({ name, inputFolder }) => ({ name, folder: inputFolder })),
  }))
  serve(app, addFolder, async (call) => {
    const { name, ...form } = call.body
    await editor.add(name, form as FolderForm, editing(call))
    return detail(call, name)
  })
  serve(app, editFolder, async (call) => {
    const { name } = call.params
    const { version, ...form } = call.body
    await editor.edit(name, version, form as FolderForm, editing(call))
    return detail(call, name)
  })
  serve(app, removeFolder, async ({ params: { name }, caller }) => {
    await editor.remove(name, actorOf(caller))
    return { name }
  })
  const transitions = { pause: pauseFolder, resume: resumeFolder } as const
  for (const move of ['pause', 'resume'] as const)
    serve(app, transitions[move], async (call) => {
      const { name } = call.params
      await editor.move(name, move, call.body?.reason, actorOf(call.caller))
      return detail(call, name)
    })
}
