import { styleWords } from './style-words.ts'

export const JP = styleWords({
  cores: `Sakuraya|Hanamachi|Matsunoi|Kikuya|Tsukimi|Yamabuki|Asahi|Fujimien|Kawabata|Midoriya|Shirakaba|Umenoya|Kaze no Mori|Tokiwa|Hoshizora|Minato|Takamiya|Aoba|Komorebi|Yukinohana|Suzuran|Kogetsu|Ginrei|Wakaba|Hinoki|Sumire|Arashi no Sato|Tachibana|Kasuga|Moegi|Ryokusui|Chidori|Nagomi|Ayame|Isobe|Kurenai|Shiokaze|Hagi no Ya|Yumemi|Kiyokawa|Momiji|Tsubaki`,
  hotel: 'Hotel {c}|{c} Hotel {p}|{c} Grand Hotel|Hotel {c} Ekimae|{c} Plaza Hotel',
  guesthouse: 'Ryokan {c}|{c} Ryokan|Minshuku {c}|Guest House {c}',
  apartment: '{c} Residence|{c} Stay {p}|Apartment Hotel {c}|{c} Machiya House',
  hostel: '{c} Hostel|Capsule Inn {c}|{c} Backpackers {p}|Hostel {c}',
  resort: '{c} Onsen Resort|{c} Onsen Hotel|Resort Hotel {c}|{c} Spa & Garden',
  quarters: 'Ekimae|Chuo|Honmachi|Minami|Higashiyama|Kitaguchi|Onsen|Minato|Sakuragaoka|Nishiguchi',
  streets: `Honcho|Ekimae-dori|Chuo-dori|Sakuragicho|Otemachi|Kawaramachi|Nishimachi|Minamicho|Asahicho|Tenjin|Motomachi|Takasago|Midorigaoka|Shinmachi|Hamacho|Kitanocho|Yanagicho|Daimyo|Teramachi|Izumi`,
  line: '{n}-{n}-{n} {s}|{n}-{n} {s}|{s} {n}-{n}-{n}',
  postal: '###-####',
})

export const CN = styleWords({
  cores: `Jinlong|Yinhe|Dongfang Hong|Huayuan|Longmen|Yulan|Taihe|Xihu|Fenghuang|Baiyun|Mudan|Jinjiang Yuan|Haitian|Lvyuan|Guihua|Chunhui|Hongqiao|Qinghe|Yuelai|Jade Garden|Golden Lotus|Bamboo Court|Plum Blossom|Silver Crane|Red Lantern|Moon Lake|Great Harmony|Pearl River View|Cloud Terrace|Willow Bridge|Mingzhu|Tianyi|Fulai|Yuehai|Songhe|Jingxin|Shuixiang|Nanhu|Ruyi|Heping|Kaiyuan Ge|Lotus Pond`,
  hotel: '{c} Hotel|{c} International Hotel|{c} Hotel {p}|{c} Grand Hotel|{c} Business Hotel',
  guesthouse: '{c} Inn|{c} Guesthouse|{c} Courtyard|{c} Homestay',
  apartment: '{c} Apartment Hotel|{c} Residence|{c} Suites {p}|{c} Serviced Apartments',
  hostel: '{c} Youth Hostel|{c} Hostel|{c} Backpackers {p}|{c} Capsule Hostel',
  resort: '{c} Hot Spring Resort|{c} Resort|{c} Lake Resort|{c} Garden Resort & Spa',
  quarters:
    'Old Town|Railway Station|Central|Riverside|Lake|High-Tech Zone|Drum Tower|Bund|People’s Square|Night Market',
  streets: `Renmin Road|Zhongshan Road|Jiefang Avenue|Beijing Road|Jianshe Street|Xinhua Road|Heping Road|Nanjing Road|Binhe Road|Wenhua Street|Zhongxing Road|Chang'an Street|Guangming Road|Hubin Road|Minzhu Street|Dongfeng Avenue|Qingnian Road|Huaihai Road|Fuxing Road|Tongji Street`,
  line: 'No. {n}, {s}|{n} {s}|No.{n} {s}',
  postal: '######',
})

export const KR = styleWords({
  cores: `Haneul|Mirae|Seorabeol|Hanok Maru|Namsan View|Daeho|Byeolbit|Gaon|Sarang|Baram|Dongbaek|Haedoji|Mugunghwa|Sol|Narae|Chorok|Yeonkkot|Boram|Saebyeok|Jinju|Hanbit|Onnuri|Cheongsong|Dalbit|Areum|Sunrise Bay|Maple Hill|Kumho Garden|Palgak|Gangbyeon|Nuri|Dure|Bada|Sanho|Miso|Songdo Park|Garam|Taeyang|Hwarang|Samho`,
  hotel: 'Hotel {c}|{c} Hotel|{c} Hotel {p}|{c} Tourist Hotel|Hotel {c} Stay',
  guesthouse: '{c} Guesthouse|{c} Hanok Stay|{c} House|{c} Minbak',
  apartment: '{c} Residence|{c} Stay|{c} Serviced Suites|{c} Residence {p}',
  hostel: '{c} Hostel|{c} Backpackers|{c} Hostel {p}|{c} Capsule',
  resort: '{c} Resort|{c} Pension & Spa|{c} Condo Resort|{c} Beach Resort',
  quarters: 'Jung-gu|Station|Old Market|Riverside|University|Harbour|Palace|Beach|Dongmun|City Hall',
  streets: `Sejong-daero|Jungang-ro|Gangbyeon-ro|Teheran-ro|Haeundae-ro|Bukchon-ro|Jong-ro|Daehak-ro|Toegye-ro|Namdaemun-ro|Dongmun-ro|Yeongdong-daero|Gwangan-ro|Songdo-daero|Itaewon-ro|Eulji-ro|Sinchon-ro|Mapo-daero|Hyeonchung-ro|Samil-daero`,
  line: '{n} {s}|{n}, {s}|{n}-{n} {s}',
  postal: '#####',
})

export const TH = styleWords({
  cores: `Baan Suan|Siam Lotus|Chao Phraya View|Rimnam|Golden Elephant|Lanna|Tamarind|Sabai|Orchid|Dok Mai|Ruen Thai|Andaman Breeze|Bua Luang|Jasmine|Khao Sok|Mekong Moon|Naga|Palm Garden|Royal Teak|Suan Mali|Ta Prohm|Angkor Leaf|Frangipani|Thara|Vimanmek|Chaba|Lamai Sun|Nakara|Phutawan|Sai Thong|Saffron|Teak House|Wang Thong|Banyan Leaf|Coconut Grove|Silk Road|Morning Star|Rain Tree|Sunrise|Lemongrass|White Lotus|Mango Tree`,
  hotel: '{c} Hotel|The {c} {p}|{c} Boutique Hotel|{c} Grand Hotel|{c} Place',
  guesthouse: '{c} Guesthouse|{c} House|{c} Homestay|{c} Inn',
  apartment: '{c} Residence|{c} Serviced Apartments|{c} Suites {p}|{c} Mansion',
  hostel: '{c} Hostel|{c} Backpackers|{c} Hostel {p}|{c} Bed Station',
  resort: '{c} Resort & Spa|{c} Beach Resort|{c} Bungalows|{c} Pool Villas',
  quarters: 'Old City|Riverside|Night Bazaar|Beach|Central|Temple Quarter|Station|Market|Hillside|Pier',
  streets: `Sukhumvit Road|Charoen Krung Road|Moon Muang Road|Beach Road|Rama IV Road|Thanon Phra Athit|Sisowath Quay|Chang Klan Road|Wat Bo Road|Ratchadamnoen Road|Soi Nana|Setthathilath Road|Silom Road|Tha Phae Road|Soi Ari|Thepprasit Road|Fa Ngum Road|Huay Kaew Road|Patpong Lane|Petchkasem Road`,
  line: '{n} {s}|{n}/{n} {s}|{n}/{n} Moo 4, {s}',
  postal: '#####',
})

export const VN = styleWords({
  cores: `Hoa Sen|Sao Mai|Hồng Hà|Lotus Pond|Phố Cổ|Bình Minh|An Nam|Golden Bamboo|Hương Giang|Thiên Thanh|Mai Vàng|Sông Xanh|Đông Dương|Hải Âu|Little Lantern|Kim Liên Hồ|Ánh Dương|Tre Xanh|Red River|Hoàng Gia|Thanh Bình|Hạnh Phúc|Ngọc Lan|Biển Xanh|Saigon Morning|Phượng Hoàng|Trúc Lâm|Hoa Mai|Mekong Pearl|Gia Long|Sen Việt|Nam Phương|Sơn Trà|Vạn Xuân|Emerald Bay|Tây Hồ|Bạch Đằng|Minh Châu|Hà My|Thu Bồn`,
  hotel: '{c} Hotel|Khách sạn {c}|{c} Hotel {p}|{c} Boutique Hotel|{c} Grand Hotel',
  guesthouse: '{c} Guesthouse|Nhà Nghỉ {c}|{c} Homestay|{c} House',
  apartment: '{c} Apartments|{c} Residence|{c} Serviced Apartment|{c} Suites {p}',
  hostel: '{c} Hostel|{c} Backpackers|{c} Hostel {p}|{c} Dorm & Café',
  resort: '{c} Resort & Spa|{c} Beach Resort|{c} Villas|{c} Bay Resort',
  quarters: 'Old Quarter|Riverside|Beach|French Quarter|Lakeside|Market|Station|Cathedral|Central|Harbour',
  streets: `Trần Phú|Lê Lợi|Nguyễn Huệ|Hàng Bạc|Hai Bà Trưng|Lý Thường Kiệt|Bạch Đằng|Phan Chu Trinh|Nguyễn Trãi|Hàng Gai|Điện Biên Phủ|Lê Duẩn|Võ Nguyên Giáp|Trần Hưng Đạo|Bùi Viện|Mã Mây|Quang Trung|Hùng Vương|Phạm Ngũ Lão|Ngô Quyền`,
  line: '{n} {s}|{n}/{n} {s}|{n} Đường {s}',
  postal: '######',
})

export const IN = styleWords({
  cores: `Shanti|Kamal|Heritage Haveli|Ganga View|Rajdhani|Lake Palace View|Chandra|Ashoka Tree|Surya|Himalayan Pine|Mayur|Krishna|Sagar|Malabar|Sunder Vilas|Neelam|Vasant|Jaisal|Amrit|Coconut Lagoon|Deodar|Everest View|Gulmohar|Indus|Jal Mahal|Kasturi|Lotus|Maharani|Nilgiri|Om|Padma|Rani Bagh|Saffron Court|Tulsi|Utsav|Vindhya|Yamuna|Banyan Tree House|Ceylon Breeze|Devi|Peacock|Swarna`,
  hotel: 'Hotel {c}|{c} Hotel|Hotel {c} {p}|{c} Residency|Hotel {c} Palace|Hotel {c} International',
  guesthouse: '{c} Guest House|{c} Homestay|{c} Haveli|{c} Lodge',
  apartment: '{c} Service Apartments|{c} Suites|{c} Residence {p}|{c} Studios',
  hostel: '{c} Backpackers|{c} Hostel {p}|{c} Dormitory|{c} Youth Hostel',
  resort: '{c} Resort|{c} Resort & Spa|{c} Retreat|{c} Ayurveda Village',
  quarters: 'Old City|Station Road|Civil Lines|MG Road|Lake|Fort|Bazaar|Beach|Cantonment|Airport Road',
  streets: `MG Road|Station Road|Gandhi Marg|Nehru Road|Temple Street|Mall Road|Lake Road|Park Street|Civil Lines|Main Bazaar|Residency Road|Fort Road|Rajpath|Galle Road|Church Street|Palace Road|Beach Road|Link Road|Ring Road|Hill Cart Road`,
  line: '{n}, {s}|{n}/{n} {s}|Plot {n}, {s}',
  postal: '######',
})

export const ID = styleWords({
  cores: `Melati|Bunga Raya|Pelangi|Garuda Emas|Kamboja|Puri Sari|Cempaka|Nusa Damai|Taman Ayu|Orkid|Bintang Laut|Rumah Kayu|Merapi View|Mutiara|Seri Pantai|Kenanga|Bukit Hijau|Wisma Indah|Teratai|Sunda|Padi|Borneo Leaf|Lumbung|Rinjani|Dewi|Tanjung Biru|Anggrek|Cendana|Permata|Sari Laut|Ombak|Senja|Purnama|Alam Hijau|Palawan Breeze|Mayon View|Sampaguita|Kelapa|Batik|Wayang|Surya Kencana|Bahari`,
  hotel: 'Hotel {c}|{c} Hotel|Hotel {c} {p}|Grand {c} Hotel|{c} Boutique Hotel',
  guesthouse: 'Wisma {c}|{c} Homestay|{c} Guest House|Losmen {c}',
  apartment: '{c} Residence|{c} Suites|{c} Apartments {p}|{c} Serviced Residence',
  hostel: '{c} Hostel|{c} Backpackers|{c} Hostel {p}|{c} Capsule',
  resort: '{c} Resort & Spa|{c} Beach Resort|{c} Villas|{c} Cottages',
  quarters: 'City Centre|Old Town|Beach|Waterfront|Central Market|Chinatown|Station|Garden|Heritage Zone|Hills',
  streets: `Jalan Merdeka|Jalan Sudirman|Jalan Malioboro|Jalan Raya|Jalan Pantai|Jalan Diponegoro|Jalan Gajah Mada|Jalan Sultan|Jalan Ahmad Yani|Jalan Melati|Jalan Hang Tuah|Rizal Avenue|Jalan Teratai|Jalan Veteran|Jalan Bukit|Jalan Tun Razak|Mabini Street|Jalan Danau|Jalan Legian|Jalan Pahlawan`,
  line: '{s} No. {n}|{s} {n}|No. {n}, {s}',
  postal: '#####',
})

export const AR = styleWords({
  cores: `Al Noor|Al Waha|Qasr Al Salam|Al Rimal|Nakheel|Al Bahar|Dar Yasmine|Al Manara|Zahrat|Jebel|Al Safa|Bab Al Bahr|Al Andalus|Riad Zitoun|Al Karam|Safina|Al Murjan|Dar Es Salam|Corniche View|Al Masa|Rawabi|Al Qamar|Dar Lalla|Al Shams|Kasbah|Lulua|Al Faris|Medina|Al Diyar|Nile Lotus|Sahara Star|Al Hamra|Jasmin|Al Mina|Cedars|Dunes|Al Khaima|Pharos|Al Rayan|Marjana|Zafran|Al Fanar`,
  hotel: '{c} Hotel|{c} Hotel {p}|{c} Palace Hotel|Hotel {c}|{c} Grand Hotel',
  guesthouse: 'Dar {c}|{c} Guest House|Maison {c}|Bayt {c}',
  apartment: '{c} Hotel Apartments|{c} Residence|{c} Suites|{c} Furnished Apartments',
  hostel: '{c} Hostel|{c} Backpackers|Hostel {c} {p}|{c} Youth House',
  resort: '{c} Beach Resort|{c} Resort & Spa|{c} Oasis Resort|{c} Desert Camp',
  quarters: 'Medina|Corniche|Downtown|Old Souk|Marina|Airport Road|Citadel|Business Bay|Al Balad|Waterfront',
  streets: `King Fahd Road|Corniche Road|Al Nasr Street|Avenue Mohammed V|Tahrir Street|Sheikh Zayed Road|Rue de la Kasbah|Al Souk Street|Avenue Habib Bourguiba|Al Wahda Street|Sultan Qaboos Street|Rue des Oudayas|Al Jalaa Street|Hamra Street|Salah Ad Din Street|Al Maktoum Road|Nile Street|Avenue de la Liberté|Rainbow Street|Al Matar Street`,
  line: '{n} {s}|{s}, Building {n}|{s} {n}',
  postal: '#####',
})

export const FA = styleWords({
  cores: `Parsian Garden|Shirin|Golestan|Yasmin|Galilee|Olive Grove|Negin|Carmel|Setareh|Sharon|Azadi|Jaffa Gate|Pomegranate|Ferdows|Kerem|Atlas Bagh|Sepehr|Tamar|Kourosh|Gefen|Zagros|Rimon|Toranj|Shalom|Hafez|Dekel|Naghsh|Arava|Laleh Bagh|Almond|Sadra|Nof|Chehel|Cedar|Safir|Mitzpe|Piroozi|Hadas|Keyvan|Eshel`,
  hotel: '{c} Hotel|Hotel {c}|{c} Hotel {p}|{c} Boutique Hotel',
  guesthouse: '{c} Guest House|{c} House|{c} Traditional House|{c} Inn',
  apartment: '{c} Apartments|{c} Suites|{c} Residence {p}|{c} Apart Hotel',
  hostel: '{c} Hostel|{c} Backpackers|{c} Hostel {p}|Hostel {c}',
  resort: '{c} Resort|{c} Spa Resort|{c} Kibbutz Hotel|{c} Garden Resort',
  quarters: 'Old City|Bazaar|Centre|Seafront|Market|Citadel|Garden|Station|Harbour|University',
  streets: `Ferdowsi Street|Ben Yehuda Street|Hafez Avenue|Jaffa Road|Imam Square|HaYarkon Street|Chahar Bagh Avenue|Dizengoff Street|Saadi Street|Herzl Street|Enghelab Avenue|King George Street|Zand Boulevard|Allenby Street|Valiasr Street|Ha'atzmaut Road|Bazaar Street|Weizmann Street|Golestan Avenue|HaPalmach Street`,
  line: '{n} {s}|{s} {n}|No. {n}, {s}',
  postal: '#######',
})
