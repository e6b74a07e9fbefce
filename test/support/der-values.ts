import { integer, tag, tlv } from '../../server/pki/der-writer.ts'

/** ENUMERATED, small. */
export const enumerated = (value: number): Buffer => tlv(tag.enumerated, integer(value).subarray(2))

/** PrintableString; the caller keeps to its alphabet. */
export const printableString = (text: string): Buffer => tlv(tag.printableString, Buffer.from(text, 'latin1'))

/** IA5String; the caller keeps to ASCII. */
export const ia5String = (text: string): Buffer => tlv(tag.ia5String, Buffer.from(text, 'latin1'))

/** BMPString: UTF-16, big-endian. */
export const bmpString = (text: string): Buffer => tlv(tag.bmpString, Buffer.from(text, 'utf16le').swap16())
