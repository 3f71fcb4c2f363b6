import Events
import KeijibanAPI
import Postgres

/// The pictures in their database.
struct MediaStore: Sendable {
    let log: EventLog

    private static let columns = "id, owner_id, content_type, byte_count, width, height, created_at"

    /// Those of `ids` that stand, in no order.
    func media(_ ids: [ID], in connection: Connection) throws -> [MediaRecord] {
        try connection.query("select \(Self.columns) from media where id = any($1)", ids).map(Self.record)
    }

    /// A person's pictures, newest first, below `before` where it is given.
    func media(ofOwner owner: ID, before id: ID?, limit: Int, in connection: Connection) throws -> [MediaRecord] {
        try connection.query(
            """
            select \(Self.columns) from media
            where owner_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3
            """,
            owner,
            id,
            Int64(limit)
        ).map(Self.record)
    }

    /// One size of a picture, without its bytes.
    func rendition(_ id: ID, _ size: PictureSize, in connection: Connection) throws -> StoredRendition? {
        try connection.query(
            "select content_type, etag, octet_length(bytes) from media_bytes where media_id = $1 and size = $2",
            id,
            size.rawValue
        ).map { StoredRendition(contentType: try $0.get(0), etag: try $0.get(1), byteCount: try $0.get(2)) }.first
    }

    /// Some bytes of one size of a picture; nil where it was removed in the meantime.
    func bytes(_ id: ID, _ size: PictureSize, _ range: Range<Int>, in connection: Connection) throws -> [UInt8]? {
        try connection.query(
            "select substring(bytes from $3 for $4) from media_bytes where media_id = $1 and size = $2",
            id,
            size.rawValue,
            Int32(range.lowerBound + 1),
            Int32(range.count)
        ).map { try $0.get(0, as: [UInt8].self) }.first
    }

    /// The pictures of a shard as events, for who rebuilds what came from it.
    var snapshotRows: LogReader.Rows {
        { shard, after, limit, connection in
            let media = try connection.query(
                """
                select \(Self.columns) from media
                where shard = $1 and ($2::uuid is null or id > $2) order by id limit $3
                """,
                Int32(shard),
                after,
                Int64(limit)
            ).map(Self.record)
            return SnapshotRows(
                rows: media.map { (MediaStored($0), $0.id) },
                next: media.count == limit ? media.last?.id : nil
            )
        }
    }

    private static func record(_ row: Row) throws -> MediaRecord {
        MediaRecord(
            id: try row.get(0),
            ownerId: try row.get(1),
            contentType: try row.get(2),
            byteCount: try row.get(3),
            width: try row.get(4),
            height: try row.get(5),
            createdAt: try row.get(6)
        )
    }
}
