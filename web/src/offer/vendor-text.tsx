import { useI18n } from '../i18n/i18n.tsx'

/** Short text of a vendor, marked with its language if the reader's is another. */
export function VendorText({ text, language }: { text: string; language: string }) {
  const { t, language: own } = useI18n()
  // The service marks facilities that cost extra in English.
  const shown = text.replaceAll('(extra charge)', `(${t('extra_charge')})`)
  return language === own ? shown : <span lang={language}>{shown}</span>
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
