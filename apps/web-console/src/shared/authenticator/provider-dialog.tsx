import { ConfirmDialog } from '../parts/confirm-dialog.tsx'

export interface ProviderDialogProps {
  texts: { title: string; text: string; confirm: string }
  /** Where the identity provider is told to ask again, and to come back from. */
  address: string
  onClose: () => void
}

/** The identity provider asks in its own pages; whoever is signed in comes back to this one. */
export const ProviderDialog = ({ texts, address, onClose }: ProviderDialogProps) => (
  <ConfirmDialog
    title={texts.title}
    confirm={texts.confirm}
    onConfirm={async () => location.assign(address)}
    onClose={onClose}
  >
    {texts.text}
  </ConfirmDialog>
)
