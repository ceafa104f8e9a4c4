import { serve } from '@chancela/service-kernel/http'
import * as change from '../actions/folders/folder-changes.ts'
import { folderAccesses, folderWithOrganization, listedFolders, oneFolder } from '../actions/folders/folder-views.ts'
import type { Context } from '../context.ts'
import {
  changeFolder,
  createFolder,
  deleteFolder,
  listFolders,
  readFolder,
  readFolderDetails,
} from '../contract/folders.ts'
import type { PlatformApp } from './platform-app.ts'

/** Registers the routes of folders. */
export function serveFolders(app: PlatformApp, context: Context): void {
  serve(app, listFolders, ({ caller, query }) => listedFolders(context, caller, query))

  serve(app, createFolder, async ({ caller, body, now }) =>
    oneFolder(context, await change.createFolder(context, caller, body, now)),
  )

  serve(app, readFolder, ({ caller, params }) => folderWithOrganization(context, caller, params.id))

  serve(app, readFolderDetails, ({ caller, params }) => folderAccesses(context, caller, params.id))

  serve(app, changeFolder, async ({ caller, params, body, now }) =>
    oneFolder(context, await change.changeFolder(context, caller, params.id, body, now)),
  )

  serve(app, deleteFolder, ({ caller, params, body, now }) =>
    change.deleteFolder(context, caller, params.id, body, now),
  )
}
