import { useI18n } from '../i18n/i18n.tsx'

/** Short text of a vendor, translated if possible; otherwise marked with its language. */
export function VendorWord({ text, language }: { text: string; language: string }) {
  const { word, language: own } = useI18n()
  const shown = language === own ? text : word(text)
  return shown === text && language !== own ? <span lang={language}>{text}</span> : shown
}

type RoomNameProps = { room: { readonly name: string; readonly room_type_name: string } }

/** Our name of the room, and the vendor's name, which the property will see. */
export function RoomName({ room: { name, room_type_name: ours } }: RoomNameProps) {
  const { t } = useI18n()
  const isSame = ours === undefined || ours.toLowerCase() === name.toLowerCase()
  return (
    <>
      <span className="font-semibold">{ours ?? name}</span>
      {!isSame && <span className="block text-xs font-normal text-muted">{t('vendor_room_name', { name })}</span>}
    </>
  )
}
