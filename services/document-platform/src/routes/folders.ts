import { serve } from '@chancela/service-kernel/http'
import * as change from '../actions/folders/folder-changes.ts'
import { folderAccesses, folderWithOrganization, listedFolders, oneFolder } from '../actions/folders/folder-views.ts'
import { newFolder } from '../actions/folders/folders.ts'
import type { Ground } from '../context.ts'
import {
  changeFolder,
  createFolder,
  deleteFolder,
  listFolders,
  readFolder,
  readFolderDetails,
} from '../contract/folders.ts'
import { requireRight } from '../rules/caller.ts'
import type { PlatformApp } from './platform-app.ts'

/** Puts the tree of folders on the surface. */
export function serveFolders(app: PlatformApp, ground: Ground): void {
  serve(app, listFolders, ({ caller, query }) => listedFolders(ground, caller, query))

  serve(app, createFolder, async ({ caller, body, now }) => {
    requireRight(caller, 'operator')
    return oneFolder(ground, await ground.store.transaction((tx) => newFolder(tx, caller, body, now)))
  })

  serve(app, readFolder, ({ caller, params }) => folderWithOrganization(ground, caller, params.id))

  serve(app, readFolderDetails, ({ caller, params }) => folderAccesses(ground, caller, params.id))

  serve(app, changeFolder, async ({ caller, params, body, now }) =>
    oneFolder(ground, await change.changeFolder(ground, caller, params.id, body, now)),
  )

  serve(app, deleteFolder, ({ caller, params, body, now }) => change.deleteFolder(ground, caller, params.id, body, now))
}
