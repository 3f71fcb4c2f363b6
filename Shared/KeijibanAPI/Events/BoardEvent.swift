/// An event of the board, decoded.
public enum BoardEvent: Sendable, Hashable {
    case userCreated(UserCreated)
    case userRenamed(UserRenamed)
    case userDeleted(UserDeleted)
    case threadCreated(ThreadCreated)
    case threadEdited(ThreadEdited)
    case threadDeleted(ThreadDeleted)
    case postCreated(PostCreated)
    case postEdited(PostEdited)
    case postDeleted(PostDeleted)
    case postLiked(PostLiked)
    case postUnliked(PostUnliked)
    case mediaStored(MediaStored)
    case mediaRemoved(MediaRemoved)

    /// Decodes the data of an event; nil where this version of the board does not know its type, which is no fault.
    public init?(type: String, data: [UInt8]) throws {
        switch type {
        case UserCreated.type: self = .userCreated(try JSON.decode(from: data))
        case UserRenamed.type: self = .userRenamed(try JSON.decode(from: data))
        case UserDeleted.type: self = .userDeleted(try JSON.decode(from: data))
        case ThreadCreated.type: self = .threadCreated(try JSON.decode(from: data))
        case ThreadEdited.type: self = .threadEdited(try JSON.decode(from: data))
        case ThreadDeleted.type: self = .threadDeleted(try JSON.decode(from: data))
        case PostCreated.type: self = .postCreated(try JSON.decode(from: data))
        case PostEdited.type: self = .postEdited(try JSON.decode(from: data))
        case PostDeleted.type: self = .postDeleted(try JSON.decode(from: data))
        case PostLiked.type: self = .postLiked(try JSON.decode(from: data))
        case PostUnliked.type: self = .postUnliked(try JSON.decode(from: data))
        case MediaStored.type: self = .mediaStored(try JSON.decode(from: data))
        case MediaRemoved.type: self = .mediaRemoved(try JSON.decode(from: data))
        default: return nil
        }
    }
}
